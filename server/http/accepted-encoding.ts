/** How a body may be packed. */
export type Encoding = 'br' | 'gzip'

const OURS: readonly Encoding[] = ['br', 'gzip']

/**
 * The best that a request takes (RFC 9110, section 12.5.3); undefined: as it is. What is not named is not sent, because
 * a client that says nothing may be one that unpacks nothing.
 */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | undefined {
  const weights = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((part): [string, number] => {
        const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
        const weight = parameters.find((piece) => piece.startsWith('q='))
        return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
      }),
  )
  const weightOf = (encoding: Encoding): number => weights.get(encoding) ?? weights.get('*') ?? 0
  const [best] = OURS.filter((encoding) => weightOf(encoding) > 0).toSorted(
    (one, other) => weightOf(other) - weightOf(one),
  )
  return best
}
