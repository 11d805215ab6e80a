import { describe, expect, test } from 'vitest'
import { encodeRecord, scanRecords } from './records.ts'

const [FIRST, SECOND, THIRD] = ['the first', 'the second', 'the third'].map((text) => encodeRecord(Buffer.from(text)))
const textsIn = (bytes: Buffer) => scanRecords(bytes).records.map(({ payload }) => payload.toString())
const damageIn = ({ corrupt, isTorn }: ReturnType<typeof scanRecords>) => ({ corrupt, isTorn })

/** The same bytes with one of them changed. */
function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = copy[at]! ^ 0xff
  return copy
}

test('reads back what was appended, empty payloads too', () => {
  const scanned = scanRecords(Buffer.concat([FIRST!, encodeRecord(Buffer.alloc(0)), SECOND!]))
  expect(scanned.records.map(({ payload }) => payload.toString())).toEqual(['the first', '', 'the second'])
  expect(damageIn(scanned)).toEqual({ corrupt: 0, isTorn: false })
  expect(scanRecords(Buffer.alloc(0))).toEqual({ records: [], corrupt: 0, isTorn: false })
})

test('drops a last record that is cut anywhere, and counts it once', () => {
  for (let length = 1; length < SECOND!.length; length += 1) {
    const cut = Buffer.concat([FIRST!, SECOND!.subarray(0, length)])
    expect(textsIn(cut)).toEqual(['the first'])
    expect(damageIn(scanRecords(cut)), `after ${length} bytes`).toEqual({ corrupt: 0, isTorn: true })
  }
})

test('takes zeros behind the last record for unwritten space', () => {
  const grown = Buffer.concat([FIRST!, Buffer.alloc(4096)])
  expect(textsIn(grown)).toEqual(['the first'])
  expect(damageIn(scanRecords(grown))).toEqual({ corrupt: 0, isTorn: true })
})

describe('a damaged record', () => {
  test('in the middle is skipped, whichever of its bytes is wrong', () => {
    for (let at = 0; at < SECOND!.length; at += 1) {
      const damaged = Buffer.concat([FIRST!, flipped(SECOND!, at), THIRD!])
      const isMark = at === 4
      expect(textsIn(damaged), `byte ${at}`).toEqual(['the first', ...(isMark ? ['the second'] : []), 'the third'])
      expect(damageIn(scanRecords(damaged)), `byte ${at}`).toEqual({ corrupt: isMark ? 0 : 1, isTorn: false })
    }
  })

  test('at the end is distinguished from a cut one', () => {
    const damaged = Buffer.concat([FIRST!, flipped(SECOND!, SECOND!.length - 1)])
    expect(damageIn(scanRecords(damaged))).toEqual({ corrupt: 1, isTorn: false })
  })

  test('with a length beyond any message does not make the reader skip that far', () => {
    const long = Buffer.from(SECOND!)
    long.writeUInt32BE(0xffff_ffff, 5)
    expect(textsIn(Buffer.concat([long, THIRD!]))).toEqual(['the third'])
  })
})

test('finds a record again behind bytes that only begin like one', () => {
  const magic = FIRST!.subarray(0, 4)
  expect(
    textsIn(Buffer.concat([Buffer.from('rubbish'), magic, magic, FIRST!, magic, Buffer.alloc(40, 1), SECOND!])),
  ).toEqual(['the first', 'the second'])
})
