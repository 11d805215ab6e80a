import { parseArgs } from 'node:util'
import { FAILOVER_FAULTS, type FailoverFault } from './faults.ts'

export interface FailoverOptions {
  readonly kinds: readonly FailoverFault[]
  readonly faults: number
  readonly seed: number
  /** Payments per second. */
  readonly rate: number
  /** Whether gateways choose among the three hosts themselves, instead of leaving that to HAProxy. */
  readonly hosts: boolean
  /** Whether the files and logs of the machines are kept. */
  readonly keep: boolean
}

const HELP = `npm run failover [-- options]

Three machines of PostgreSQL 15 under Patroni with etcd, on this machine, in networks of their own and with the files of
server/deploy; HAProxy, two API and two worker processes of the gateway, and a steady load of payments. One fault after
the other is planted, and after each of them what was acknowledged is counted on both sides.

  --kinds names    separated by commas; all by default:
${FAILOVER_FAULTS.map(({ name, what }) => `                     ${name.padEnd(16)} ${what}`).join('\n')}
  --faults n       default 28, each kind twice; about a minute each
  --rate n         payments a second, default 12
  --hosts          DATABASE_URL names all three, with target_session_attrs=read-write; HAProxy is left to the judge
  --keep           leave the files and logs of the machines where they are
  --seed n         the same faults again; what they meet is never quite the same
  --help

Ends with 0 when nothing was lost or doubled and payments were accepted again in time, with 1 otherwise, with 2 when the
drill itself failed, and with 77 when this machine cannot run it; dist/failover/report.json has all figures.`

/**
 * @returns the help text if it was requested
 * @throws Error naming the arguments that are invalid
 */
export function readOptions(args: readonly string[]): FailoverOptions | string {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kinds: { type: 'string' },
      faults: { type: 'string', default: '28' },
      rate: { type: 'string', default: '12' },
      hosts: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return HELP
  const wholeNumber = (name: 'faults' | 'rate' | 'seed'): number => {
    if (!/^\d{1,9}$/.test(values[name])) throw new Error(`--${name} must be a whole number, not ${values[name]}`)
    return Number(values[name])
  }
  const names = values.kinds?.split(',') ?? FAILOVER_FAULTS.map(({ name }) => name)
  const unknown = names.filter((name) => !FAILOVER_FAULTS.some((kind) => kind.name === name))
  if (unknown.length > 0) throw new Error(`there is no kind ${unknown.join(', ')}. See --help`)
  const kinds = FAILOVER_FAULTS.filter(({ name }) => names.includes(name))
  const [faults, rate, seed] = [wholeNumber('faults'), wholeNumber('rate'), wholeNumber('seed')]
  if (rate === 0) throw new Error('--rate must be 1 or more')
  return { kinds, faults, rate, seed, hosts: values.hosts, keep: values.keep }
}

/** The arguments that repeat the same run. */
export const asArguments = ({ kinds, faults, rate, seed, hosts }: FailoverOptions): readonly string[] => [
  ...(kinds.length < FAILOVER_FAULTS.length ? ['--kinds', kinds.map(({ name }) => name).join(',')] : []),
  '--faults',
  String(faults),
  '--rate',
  String(rate),
  '--seed',
  String(seed),
  ...(hosts ? ['--hosts'] : []),
]
