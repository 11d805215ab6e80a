// `npm run chaos [-- --kills 100 --seed 7]`: the fault drill in its long form. Ends with 0 when nothing was lost, doubled or left hanging.
import { parseArgs } from 'node:util'
import { drill } from './drill.ts'

const { values } = parseArgs({ options: { kills: { type: 'string', default: '100' }, seed: { type: 'string', default: String(Date.now() % 1_000_000) }, requests: { type: 'string', default: '3000' } } })
const [kills, seed, requests] = [values.kills, values.seed, values.requests].map(Number) as [number, number, number]

console.log(`fault drill: ${kills} kills, ${requests} requests, seed ${seed}`)
const result = await drill({ kills, seed, requests, pauseMs: 1_500, log: (line) => console.log(`  ${line}`) })
console.log(`${result.acknowledged} acknowledged; killed: ${Object.entries(result.kills).map(([kind, count]) => `${count} × ${kind}`).join(', ')}; slowest to its end ${result.slowestSeconds} s; ${result.seconds} s in all`)
for (const fault of result.faults) console.error(`  ${fault}`)
console.log(result.faults.length === 0 ? 'nothing lost, nothing doubled, nothing hanging, books balanced' : `${result.faults.length} faults; again with: npm run chaos -- --kills ${kills} --requests ${requests} --seed ${seed}`)
process.exit(result.faults.length === 0 ? 0 : 1)
