import { NoPicture, part, type Picture } from './picture.ts'

// ITU-T T.81, annex B: markers, most of them with a length and data; after SOS the entropy-coded data up to the next
// marker.

const SOI = Buffer.from([0xff, 0xd8])
const EOI = 0xd9
const SOS = 0xda
const START_OF_FRAME: readonly number[] = [0xc0, 0xc1, 0xc2]
/** Tables, restart interval, JFIF's own header (APP0) and Adobe's colour transform (APP14); no Exif, no comments. */
const KEPT: readonly number[] = [...START_OF_FRAME, 0xc4, 0xdb, 0xdd, 0xe0, 0xee, SOS]

/** @returns undefined when it is not a JPEG. @throws NoPicture */
export function strippedJpeg(file: Buffer): Picture | undefined {
  if (!file.subarray(0, 2).equals(SOI)) return undefined
  const kept: Buffer[] = [SOI]
  let frame: Buffer | undefined
  for (let at = 2; ;) {
    const head = part(file, at, 2)
    const marker = head[1] ?? 0
    if (head[0] !== 0xff) throw new NoPicture('no marker where one must be')
    if (marker === EOI) {
      kept.push(head)
      break
    }
    const segment = part(file, at, 2 + part(file, at + 2, 2).readUInt16BE(0))
    at += segment.length
    if (START_OF_FRAME.includes(marker)) frame ??= segment
    if (KEPT.includes(marker)) kept.push(segment)
    if (marker !== SOS) continue
    const end = nextMarker(file, at)
    kept.push(file.subarray(at, end))
    at = end
  }
  if (!frame) throw new NoPicture('no frame')
  return { bytes: Buffer.concat(kept), width: part(frame, 7, 2).readUInt16BE(0), height: frame.readUInt16BE(5) }
}

/** Finds the end of the entropy-coded data: a marker that is neither a stuffed byte nor a restart. */
function nextMarker(file: Buffer, start: number): number {
  for (let at = file.indexOf(0xff, start); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const marker = file[at + 1] ?? 0
    if (marker !== 0 && marker !== 0xff && !(marker >= 0xd0 && marker <= 0xd7)) return at
  }
  throw new NoPicture('no end')
}
