import { expect, test } from 'vitest'
import { anchorLine, differenceFromAnchors, parseAnchors } from './chain-anchor.ts'
import { CHAIN_START, digestAt, isSameDigest, linkHash, recordDigest } from './hash-chain.ts'

const digests = (...records: readonly string[][]) => Buffer.concat(records.map(recordDigest))
const at = new Date('2026-03-01T08:00:00.000Z')
/** A chain of three links. */
const [first, second, third] = ['a', 'b', 'c'].reduce<Uint8Array[]>(
  (chain, text) => [...chain, linkHash(BigInt(chain.length + 1), chain.at(-1) ?? CHAIN_START, digests([text]))],
  [],
)
const link = (seq: bigint, hash = [first, second, third][Number(seq) - 1]!) => ({ seq, hash, at })

test('other fields have another digest, however they are split', () => {
  const same = [['a', 'b'], ['ab', ''], ['', 'ab'], ['a","b'], ['a', null], ['a', ['b']], ['a', 'b', '']]
  const seen = new Set(same.map((fields) => Buffer.from(recordDigest(fields)).toString('hex')))
  expect(seen.size).toBe(same.length)
})

test("another record, order, sequence or link before changes a link's hash", () => {
  const hashes = [
    linkHash(2n, first!, digests(['b'], ['c'])),
    linkHash(2n, first!, digests(['c'], ['b'])),
    linkHash(2n, first!, digests(['b'])),
    linkHash(3n, first!, digests(['b'], ['c'])),
    linkHash(2n, CHAIN_START, digests(['b'], ['c'])),
  ].map((hash) => Buffer.from(hash).toString('hex'))
  expect(new Set(hashes).size).toBe(hashes.length)
  expect(isSameDigest(digestAt(digests(['b'], ['c']), 1), recordDigest(['c']))).toBe(true)
})

test('reads the anchors that it prints, and names a line that is none', () => {
  const text = `${anchorLine(link(2n))}\n\n${anchorLine(link(1n))}\r\n`
  expect(parseAnchors(text).anchors.map(({ seq }) => seq)).toEqual([1n, 2n])
  expect(parseAnchors(`${text}hello`)).toMatchObject({ wrongLine: 4 })
  expect(parseAnchors(anchorLine(link(1n)).replace('-03-', '-13-'))).toMatchObject({ wrongLine: 1 })
})

test('reports from where on a chain differs from its anchors', () => {
  const anchors = [link(1n), link(2n), link(3n)]
  expect(differenceFromAnchors(anchors, anchors)).toBeUndefined()
  expect(differenceFromAnchors(anchors, [link(1n), link(2n, CHAIN_START), link(3n)])).toBe(
    'link 2 of the anchor of 2026-03-01T08:00:00.000Z has another hash: the chain differs after link 1, which agrees (2026-03-01T08:00:00.000Z)',
  )
  expect(differenceFromAnchors(anchors, [])).toMatch(
    /^link 1 .* is not there: the chain differs from its beginning on$/,
  )
})
