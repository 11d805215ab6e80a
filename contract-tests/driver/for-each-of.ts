const AT_ONCE = 8

/** Processes each item, a few concurrently. @returns the results in the order of the items */
export async function forEachOf<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, item] of queue) results[index] = await run(item)
    }),
  )
  return results
}
