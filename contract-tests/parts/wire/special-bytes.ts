import type { WireCase } from './wire-case.ts'

const SHOWN_MAX = 70
const LINES_MAX = 2
/** Lines of valid requests, and those that carry keys. */
const USUAL =
  /^(host: \S+|(public-key|secret-key|authorization|cookie|x-api-version|accept|user-agent): [^\0\r]*|content-type: application\/json|content-length: \d{1,9})$/i
const USUAL_FIRST = /^(GET|POST|PUT|PATCH|DELETE) \/[\w/?=&.,%-]* HTTP\/1\.1$/

/** What is special about the bytes of a case, quoted: its unusual lines. Undefined when its header is a usual one. */
export function specialBytes({ pieces }: Pick<WireCase, 'pieces'>): string | undefined {
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
