// A peer of whole payments, a process of its own: three chained jobs that do nothing, by graphile-worker with its local
// queue. It is a tool of the nightly run (.ci/nightly-tools) and may be missing: its types are those that this file uses.
import pg from 'pg'

/** The parts of the package that are used here. */
interface GraphileWorker {
  run(options: {
    readonly preset: { readonly worker: Readonly<Record<string, unknown>> }
    readonly pgPool: pg.Pool
    readonly taskList: Readonly<Record<string, (payload: unknown, helpers: Helpers) => Promise<void>>>
  }): Promise<{ addJob(task: string): Promise<unknown>; stop(): Promise<void> }>
}
interface Helpers {
  addJob(task: string): Promise<unknown>
}

/** As many jobs at once as the pool has connections, which are as many as those of the gateway. */
const CONCURRENCY = 16
const PACKAGE = 'graphile-worker'

process.on('disconnect', () => process.exit())

const { run } = (await import(PACKAGE)) as GraphileWorker
const pgPool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: CONCURRENCY })
pgPool.on('error', () => process.exit(1))
let finished = 0
const worker = {
  concurrentJobs: CONCURRENCY,
  localQueue: { size: 500 },
  // Completions within this many milliseconds share a statement.
  completeJobBatchDelay: 10,
}
const runner = await run({
  preset: { worker },
  pgPool,
  taskList: {
    submit: async (_, { addJob }) => void (await addJob('settle')),
    settle: async (_, { addJob }) => void (await addJob('deliver')),
    deliver: () => Promise.resolve(void (finished += 1)),
  },
})

process.on('message', (count: number) => void payAll(count).then(() => process.send?.(count)))
process.send?.(0)

/** Each payment is added when there is room for it; resolves when all have gone through their three jobs. */
async function payAll(count: number): Promise<void> {
  const until = finished + count
  let left = count
  const add = async () => {
    while (left-- > 0) await runner.addJob('submit')
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, add))
  while (finished < until) await new Promise((resolve) => setTimeout(resolve, 20))
}
