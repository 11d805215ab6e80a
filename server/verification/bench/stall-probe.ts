// Loaded into a gateway by `--import`, see stalls.ts: measures how long its event loop stalls. SIGUSR2 appends the
// stalls
// seen since the previous signal as one line of the file.
import { appendFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const file = process.env['MALIPO_BENCH_STALLS']
const seen = monitorEventLoopDelay({ resolution: 1 })
seen.enable()
process.on('SIGUSR2', () => {
  const stalls = { maxMs: seen.max / 1e6, p99Ms: seen.percentile(99) / 1e6 }
  seen.reset()
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(stalls)}\n`)
})
