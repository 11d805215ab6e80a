import type { Finding } from '../../harness/part.ts'
import type { Breach, Verdict } from './rules.ts'
import { shellLine } from './shell-line.ts'
import type { WireCase } from './wire-case.ts'

interface GroupedBreach extends Breach {
  readonly cases: [WireCase, ...WireCase[]]
  readonly episodes: Set<number>
}

export interface Findings {
  /** @param episode equal for cases that run at the same time: a hiccup of the machine shows in all of them */
  hold(verdict: Verdict, wireCase: WireCase, episode?: number): void
  readonly checks: number
  list(): readonly Finding[]
}

/** Whether a case breaks the same rule in the same way when it is repeated. */
type TriesAgain = (wireCase: WireCase, breach: Breach) => Promise<boolean>

/** Groups breaches: a fault that a hundred cases show is one finding, shown by the first of them. */
export function createFindings(url: URL, secrets: Readonly<Record<string, string>>, triesAgain: TriesAgain): Findings {
  const noted = new Map<string, GroupedBreach>()
  let checks = 0
  return {
    get checks() {
      return checks
    },
    hold(verdict, wireCase, episode = 0) {
      checks += verdict.checks
      for (const breach of verdict.breaches) {
        const key = keyOf(breach)
        const known = noted.get(key)
        known?.episodes.add(episode)
        if (known) known.cases.push(wireCase)
        else noted.set(key, { ...breach, cases: [wireCase], episodes: new Set([episode]) })
      }
    },
    list: () => [...noted.values()].map(findingOf),
  }

  function findingOf({ cases, episodes, ...breach }: GroupedBreach): Finding {
    const { rule, what, more: detail, timed } = breach
    const [first = '', ...others] = new Set(cases.map(({ name }) => name))
    const [curl] = cases.flatMap((each) => shellLine(url, each, secrets) ?? [])
    const [sent] = cases.map((each) => specialBytes(each))
    const count = others.length === 0 ? '' : `, and ${others.length} more case${others.length === 1 ? '' : 's'}`
    return {
      about: rule,
      what: `${what} (${first}${sent === undefined ? '' : `, which sends ${sent}`}${count}${detail === undefined ? '' : `; ${detail}`})`,
      cause: `wire: ${keyOf(breach)}`,
      ...(others.length > 0 && { also: others }),
      ...(episodes.size > 1 && { times: episodes.size }),
      ...(curl !== undefined && { curl }),
      ...(timed && { recurs: () => triesAgain(cases[0], breach) }),
    }
  }
}

export const keyOf = ({ rule, what }: Breach): string => `${rule}\n${what}`

const SHOWN_MAX = 70
const LINES_MAX = 2
/** Lines of valid requests, and those that carry keys. */
const USUAL =
  /^(host: \S+|(public-key|secret-key|authorization|cookie|x-api-version|accept|user-agent): [^\0\r]*|content-type: application\/json|content-length: \d{1,9})$/i
const USUAL_FIRST = /^(GET|POST|PUT|PATCH|DELETE) \/[\w/?=&.,%-]* HTTP\/1\.1$/

/** What is special about the bytes of a case, quoted: its unusual lines. Undefined when its header is a usual one. */
function specialBytes({ pieces }: Pick<WireCase, 'pieces'>): string | undefined {
  const text = Buffer.concat([...pieces]).toString('latin1')
  const [head = ''] = text.split('\r\n\r\n', 1)
  const [first = '', ...lines] = head.split('\r\n')
  const names = lines.map(nameOf)
  const isUnusual = (line: string, index: number): boolean =>
    !USUAL.test(line) ||
    names.indexOf(nameOf(line)) !== index ||
    (/^content-length:/i.test(line) && names.includes('transfer-encoding'))
  const special = [...(USUAL_FIRST.test(first) ? [] : [first]), ...lines.filter(isUnusual)].filter(
    (line) => line !== '' && !/^(public|secret)-key:|^authorization:/i.test(line),
  )
  if (special.length === 0) return undefined
  const rest = special.length - LINES_MAX
  return `${special.slice(0, LINES_MAX).map(quoted).join(' and ')}${rest > 0 ? ` and ${rest} more lines` : ''}`
}

const nameOf = (line: string): string => (line.split(':', 1)[0] ?? '').trim().toLowerCase()
const quoted = (line: string): string => JSON.stringify(line.length > SHOWN_MAX ? `${line.slice(0, SHOWN_MAX)}…` : line)
