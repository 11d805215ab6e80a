// `npm run chaos`: the fault drill in its long form. Exits with 0 when no payment was lost, doubled, withheld or left
// hanging.
import { parseArgs } from 'node:util'
import { withProgress } from '../../progress.ts'
import { drill, FORMS, lengthOf } from './drill.ts'
import { FAULT_KINDS } from './faults/all.ts'

const ALL_MINUTES = Math.round(lengthOf({ kinds: FAULT_KINDS, faults: 100 }) / 60_000)

const STOPPED = 130

const HELP = `npm run chaos [-- options]

Serves payments with two API and three worker processes on one PostgreSQL, plants faults around them, and judges what is
left by what was acknowledged, what the merchant was sent, and what the operators' own book says moved.

  --kinds names    separated by commas; all by default:
${FAULT_KINDS.map(({ name, what }) => `                     ${name.padEnd(10)} ${what}`).join('\n')}
  --faults n       of each kind, default 100; the kinds are mixed over one run, which takes as long as the slowest of
                   them: about ${ALL_MINUTES} minutes with pauses, which take half a minute each, several at a time
  --requests n     collections and payouts over that time, default 3000
  --rails form     simulated, if absent; wire: the real rails, over HTTP, to operators that one of the API processes runs,
                   and that goes on elsewhere when that one dies. MALIPO_SANDBOX_RAILS says the same
  --seed n         the same faults again; what they meet is never quite the same
  --verbose        print each fault
  --help`

const { values } = parseArgs({
  options: {
    kinds: { type: 'string' },
    faults: { type: 'string', default: '100' },
    requests: { type: 'string', default: '3000' },
    rails: { type: 'string', default: process.env['MALIPO_SANDBOX_RAILS'] ?? 'simulated' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

function wholeNumber(name: 'faults' | 'requests' | 'seed'): number {
  if (!/^\d{1,9}$/.test(values[name])) throw new Error(`--${name} must be a whole number, not ${values[name]}`)
  return Number(values[name])
}

async function main(): Promise<number> {
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const names = values.kinds?.split(',') ?? FAULT_KINDS.map(({ name }) => name)
  const unknown = names.filter((name) => !FAULT_KINDS.some((kind) => kind.name === name))
  if (unknown.length > 0) throw new Error(`there is no kind ${unknown.join(', ')}. See --help`)
  const [faults, requests, seed] = [wholeNumber('faults'), wholeNumber('requests'), wholeNumber('seed')]
  const rails = FORMS.find((form) => form === values.rails)
  if (!rails) throw new Error(`--rails must be ${FORMS.join(' or ')}, not ${values.rails}`)
  const kinds = FAULT_KINDS.filter(({ name }) => names.includes(name))
  const options = { kinds: kinds.map(({ name }) => name).join(','), faults, requests, rails, seed }
  const again = `npm run chaos --${Object.entries(options)
    .map(([name, value]) => ` --${name} ${value}`)
    .join('')}`
  const minutes = (ms: number) => `${(ms / 60_000).toFixed(1)} minutes`

  console.log(`fault drill, about ${minutes(lengthOf({ kinds, faults }))}; again with: ${again}`)
  const result = await withProgress('drilling', ({ clear }) => {
    const log = (line: string) => {
      clear()
      console.log(`  ${line}`)
    }
    const size = { kinds, faults, requests, apis: 2, workers: 3, rails }
    return drill({ seed, ...size, log, ...(values.verbose && { onPlanted: log }) })
  })
  const planted = Object.entries(result.planted)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
  console.log(
    `${result.acknowledged} acknowledged; planted: ${planted}; slowest to its end ${result.slowestSeconds} s; ` +
      `${minutes(result.seconds * 1000)} in all`,
  )
  if (result.byStatement > 0)
    console.log(
      `${result.byStatement} payments were reported by a message that was lost, and booked by the operator's statement`,
    )
  if (result.railPaid > 0)
    console.log(
      `${result.railPaid} payouts were paid by the rail when their wallet was empty: the gateway listed them, ` +
        'and staff completed them',
    )
  for (const fault of result.faults) console.error(`  ${fault}`)
  console.log(
    result.faults.length === 0
      ? 'nothing lost, nothing doubled, nothing stuck, everything reported, all ledgers equal'
      : `${result.faults.length} faults; again with: ${again}`,
  )
  return result.faults.length === 0 ? 0 : 1
}

// Ends PostgreSQL as well; all other processes of the drill end with this one.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => process.exit(STOPPED))

process.exit(
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error))
    return 2
  }),
)
