import { isSameDigest, type Link } from './hash-chain.ts'

/** The head of a hash chain at some time, for storage where nobody who can change the chain can change the anchor. */
export interface Anchor extends Link {
  readonly at: Date
}

/** One line: sequence, hash, time. */
export const anchorLine = ({ seq, hash, at }: Anchor): string =>
  `${seq} ${Buffer.from(hash).toString('hex')} ${at.toISOString()}`

const LINE = /^(\d{1,18}) ([0-9a-f]{64}) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/

/**
 * Parses anchors, one per line; blank lines are skipped.
 * @returns also the number of the first invalid line, if there is one
 */
export function parseAnchors(text: string): { readonly anchors: readonly Anchor[]; readonly wrongLine?: number } {
  const anchors: Anchor[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const [, seq, hash, at] = LINE.exec(line.trim()) ?? []
    const time = new Date(at ?? '')
    if (seq === undefined || hash === undefined || Number.isNaN(time.getTime()))
      return { anchors, wrongLine: index + 1 }
    anchors.push({ seq: BigInt(seq), hash: Buffer.from(hash, 'hex'), at: time })
  }
  return { anchors: anchors.toSorted((one, other) => Number(one.seq - other.seq)) }
}

/**
 * Where a chain differs from anchors, as text for a person: the first anchor that does not match, and the last before
 * it that does.
 * @param links the links of the chain with the sequences of the anchors
 */
export function differenceFromAnchors(anchors: readonly Anchor[], links: readonly Link[]): string | undefined {
  const hashes = new Map(links.map(({ seq, hash }) => [seq, hash]))
  const index = anchors.findIndex(({ seq, hash }) => {
    const found = hashes.get(seq)
    return !found || !isSameDigest(found, hash)
  })
  const differing = anchors[index]
  if (!differing) return undefined
  const agreeing = anchors[index - 1]
  const from = agreeing
    ? `after link ${agreeing.seq}, which agrees (${agreeing.at.toISOString()})`
    : 'from its beginning on'
  const what = hashes.has(differing.seq) ? 'has another hash' : 'is not there'
  return `link ${differing.seq} of the anchor of ${differing.at.toISOString()} ${what}: the chain differs ${from}`
}
