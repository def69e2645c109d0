/** People for the gallery. */
export const PEOPLE = [
  { id: 1, first_name: "Ann", last_name: "Example", username: "ann", profile_picture: null },
  { id: 2, first_name: "Bob", last_name: "Builder", username: "bob", profile_picture: null },
  { id: 3, first_name: "Chiara", last_name: "Rossi", username: "chiara", profile_picture: null },
];
