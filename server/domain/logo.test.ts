import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { LOGO_BYTES_MAX, LOGO_SIDE_MAX, readLogo } from './logo.ts'

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
const SECRET = latin('GPS 0.3476 N, taken by Amina')
const holdsSecret = (bytes: Uint8Array): boolean => Buffer.from(bytes).includes(SECRET)

function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), latin(type), data, Buffer.alloc(4)])
  chunk.writeUInt32BE(data.length, 0)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
  return chunk
}

function png(width: number, height: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('tEXt', SECRET),
    pngChunk('IDAT', Buffer.from([1, 2, 3])),
    pngChunk('IEND', Buffer.alloc(0)),
    SECRET,
  ])
}

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** Progressive: two scans, with a table between them, stuffed bytes and a restart in the entropy-coded data. */
function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  const scan = Buffer.concat([
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([7, 0xff, 0, 8, 0xff, 0xd0, 9]),
  ])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, latin('JFIF\0')),
    segment(0xe1, SECRET),
    segment(0xfe, SECRET),
    segment(0xc2, frame),
    scan,
    segment(0xc4, Buffer.from([0xff, 0xd9])),
    scan,
    Buffer.from([0xff, 0xd9]),
    SECRET,
  ])
}

function webpChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.concat([latin(type), Buffer.alloc(4)])
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

function webp(width: number, height: number, flags = 0x0c): Buffer {
  const extended = Buffer.alloc(10)
  extended.writeUInt8(flags, 0)
  extended.writeUIntLE(width - 1, 4, 3)
  extended.writeUIntLE(height - 1, 7, 3)
  const bits = Buffer.from([0x2f, 0, 0, 0, 0])
  bits.writeUInt32LE(((height - 1) << 14) | (width - 1), 1)
  const body = Buffer.concat([
    latin('WEBP'),
    webpChunk('VP8X', extended),
    webpChunk('VP8L', bits),
    webpChunk('EXIF', SECRET),
  ])
  const size = Buffer.alloc(4)
  size.writeUInt32LE(body.length)
  return Buffer.concat([latin('RIFF'), size, body, SECRET])
}

describe.each([
  ['image/png', png],
  ['image/jpeg', jpeg],
  ['image/webp', webp],
] as const)('%s', (mediaType, make) => {
  test('is recognised by its bytes, and loses all but the picture', () => {
    const file = make(120, 48)
    expect(holdsSecret(file)).toBe(true)
    const logo = readLogo(file)
    expect(logo).toMatchObject({ mediaType, width: 120, height: 48 })
    expect(holdsSecret(logo.bytes)).toBe(false)
    expect(readLogo(logo.bytes)).toEqual(logo)
  })
  test('of too many pixels is refused', () =>
    expect(() => readLogo(make(LOGO_SIDE_MAX + 1, 1))).toThrow(/measures 601 × 1 pixels/))
  test('that ends anywhere before its end is refused', () => {
    const { bytes } = readLogo(make(10, 10))
    for (let length = 12; length < bytes.length; length += 1)
      expect(() => readLogo(bytes.subarray(0, length)), String(length)).toThrow(RangeError)
  })
})

test.each(['<svg xmlns="http://www.w3.org/2000/svg">', '<?xml version="1.0"?><svg/>', '\n<!-- x --><svg/>', '<html>'])(
  'vector graphics are refused by name: %s',
  (text) => expect(() => readLogo(latin(text))).toThrow(/SVG is not taken/),
)

test('refuses animations, too large files and what is no picture', () => {
  expect(() => readLogo(webp(10, 10, 0x02))).toThrow(/stand still/)
  expect(() => readLogo(Buffer.alloc(LOGO_BYTES_MAX + 1))).toThrow(/16385 bytes; a logo may have 16384/)
  for (const bytes of [Buffer.alloc(0), latin('GIF89a'), latin('hello'), Buffer.from([0xff, 0xd8])])
    expect(() => readLogo(bytes)).toThrow(RangeError)
  const wrong = png(10, 10)
  wrong[20] = (wrong[20] ?? 0) ^ 1
  expect(() => readLogo(wrong)).toThrow(/damaged/)
})
