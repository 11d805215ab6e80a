import { runBatch, type PendingItem, StorageUnavailable } from '../../../actions/ports/store.ts'

interface GatherOptions<Item, Result> {
  readonly batchMax: number
  /** Never more runs than this at the same time. */
  readonly runsMax: number
  /** One result per item, in their order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>
}

const isOutcomeKnown = (error: unknown): boolean => !(error instanceof StorageUnavailable)

/**
 * One run for all items that arrive at the same time or while earlier runs are in progress. A batch that fails for a
 * reason other than an unavailable database is run again item by item.
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
      void runBatch(waiting.splice(0, batchMax), run, isOutcomeKnown).finally(() => {
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

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      schedule()
    })
}

/** The same for items without results of their own. */
export const gatherAll = <Item>({
  run,
  ...options
}: Omit<GatherOptions<Item, void>, 'run'> & { readonly run: (items: readonly Item[]) => Promise<void> }) =>
  gather<Item, void>({
    ...options,
    run: async (items) => {
      await run(items)
      return items.map(() => undefined)
    },
  })
