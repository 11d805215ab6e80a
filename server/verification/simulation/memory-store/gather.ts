import { StorageUnavailable } from '../../../actions/ports/store.ts'

export interface GatherOptions<Item, Result> {
  readonly batchMax: number
  /** Never more runs than this at the same time. */
  readonly runsMax: number
  /** One result per item, in their order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>
}

interface PendingItem<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * One run for all items that arrive at the same time or while earlier runs are in progress. A batch that fails for a
 * reason
 * other than an unavailable database is run again item by item.
 */
export function gather<Item, Result>({
  batchMax,
  runsMax,
  run,
}: GatherOptions<Item, Result>): (item: Item) => Promise<Result> {
  const waiting: PendingItem<Item, Result>[] = []
  let running = 0
  let scheduled = false

  function flush(): void {
    scheduled = false
    while (running < runsMax && waiting.length > 0) {
      running += 1
      void runBatch(waiting.splice(0, batchMax)).finally(() => {
        running -= 1
        schedule()
      })
    }
  }
  function schedule(): void {
    if (scheduled || waiting.length === 0) return
    scheduled = true
    queueMicrotask(flush)
  }

  async function runBatch(batch: readonly PendingItem<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item))
      results.forEach((result, index) => batch[index]?.resolve(result))
    } catch (error) {
      if (batch.length === 1 || error instanceof StorageUnavailable) return batch.forEach(({ reject }) => reject(error))
      for (const one of batch) await runBatch([one])
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      schedule()
    })
}
