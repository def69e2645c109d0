export async function benchReads() {}
