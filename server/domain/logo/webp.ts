import { NoPicture, part, type Picture } from './picture.ts'

// RFC 9649: a RIFF container with chunks of type, length and data, each at an even offset.

const HEADER = 12
/** ICC, Exif and XMP: VP8X announces them, and we drop them. */
const ANNOUNCED = 0x2c
const ANIMATED = 0x02

/** @returns undefined when it is not a WebP. @throws NoPicture */
export function strippedWebp(file: Buffer): Picture | undefined {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, HEADER) !== 'WEBP') return undefined
  const end = 8 + file.readUInt32LE(4)
  part(file, 0, end)
  const kept: Buffer[] = []
  let size: Pick<Picture, 'width' | 'height'> | undefined
  for (let at = HEADER; at < end;) {
    const length = part(file, at, 8).readUInt32LE(4)
    const chunk = Buffer.from(part(file, at, 8 + length + (length % 2)))
    at += chunk.length
    const type = chunk.toString('latin1', 0, 4)
    if (type === 'ANIM' || type === 'ANMF') throw new NoPicture('it moves')
    if (type === 'VP8X') withoutAnnounced(chunk)
    size ??= sizeIn(type, chunk.subarray(8))
    if (['VP8X', 'ALPH', 'VP8 ', 'VP8L'].includes(type)) kept.push(chunk)
  }
  if (!size || !kept.some((chunk) => /^VP8[ L]/.test(chunk.toString('latin1', 0, 4)))) throw new NoPicture('no picture')
  const body = Buffer.concat(kept)
  const header = Buffer.from(file.subarray(0, HEADER))
  header.writeUInt32LE(4 + body.length, 4)
  return { bytes: Buffer.concat([header, body]), ...size }
}

function withoutAnnounced(chunk: Buffer): void {
  const flags = part(chunk, 8, 10).readUInt8(0)
  if ((flags & ANIMATED) !== 0) throw new NoPicture('it moves')
  chunk.writeUInt8(flags & ~ANNOUNCED, 8)
}

function sizeIn(type: string, data: Buffer): Pick<Picture, 'width' | 'height'> | undefined {
  if (type === 'VP8X') return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
  if (type === 'VP8 ') return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
  if (type !== 'VP8L') return undefined
  const bits = data.readUInt32LE(1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
