export default async function OrderPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  if (id === "42") throw new TypeError("server component");
  return <p>{id}</p>;
}
