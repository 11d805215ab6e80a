/** Supported content encodings of a reply body. */
export type Encoding = 'br' | 'gzip'

const SUPPORTED: readonly Encoding[] = ['br', 'gzip']

/**
 * The best encoding that the request accepts (RFC 9110, section 12.5.3); undefined means identity. Only encodings that
 * the client names are used: a client that names none may be unable to decompress.
 */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | undefined {
  const weights = weightsIn(String(header ?? ''))
  const weightOf = (encoding: Encoding): number => weights.get(encoding) ?? weights.get('*') ?? 0
  const [best] = SUPPORTED.filter((encoding) => weightOf(encoding) > 0).toSorted(
    (one, other) => weightOf(other) - weightOf(one),
  )
  return best
}

/** What an `Accept` header or one like it names, with the weight of each: 1 without one, 0 for what is refused. */
export const weightsIn = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header
      .toLowerCase()
      .split(',')
      .map((part): [string, number] => {
        const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
        const weight = parameters.find((piece) => piece.startsWith('q='))
        return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
      }),
  )
