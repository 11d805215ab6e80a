import { crc32 } from 'node:zlib'
import { NoPicture, part, type Picture } from './picture.ts'

// https://www.w3.org/TR/png-3/: a signature, then chunks of length, type, data and checksum.

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** The chunks of the image itself; texts, times, locations and further frames are dropped. */
const KEPT: readonly string[] = ['IHDR', 'PLTE', 'tRNS', 'gAMA', 'sRGB', 'IDAT', 'IEND']

/** @returns undefined when it is not a PNG. @throws NoPicture */
export function strippedPng(file: Buffer): Picture | undefined {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return undefined
  const kept: Buffer[] = [SIGNATURE]
  let header: Buffer | undefined
  for (let at = SIGNATURE.length, type = ''; type !== 'IEND';) {
    const length = part(file, at, 8).readUInt32BE(0)
    const chunk = part(file, at, length + 12)
    type = chunk.toString('latin1', 4, 8)
    if (crc32(chunk.subarray(4, length + 8)) !== chunk.readUInt32BE(length + 8)) throw new NoPicture('a wrong checksum')
    if ((header === undefined) !== (type === 'IHDR')) throw new NoPicture('one header, at the beginning')
    header ??= chunk
    if (KEPT.includes(type)) kept.push(chunk)
    at += chunk.length
  }
  if (!header || header.length !== 25) throw new NoPicture('a header of another length')
  return { bytes: Buffer.concat(kept), width: header.readUInt32BE(8), height: header.readUInt32BE(12) }
}
