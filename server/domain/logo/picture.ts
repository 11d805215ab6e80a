/** The bytes of an image without metadata, and the size that it declares. */
export interface Picture {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

/** The file starts like an image of this format and is not valid further on. */
export class NoPicture extends Error {
  override readonly name = 'NoPicture'
}

/** A slice of a file. @throws NoPicture when the file ends before the slice does */
export function part(bytes: Buffer, start: number, length: number): Buffer {
  if (start + length > bytes.length) throw new NoPicture('the file ends too early')
  return bytes.subarray(start, start + length)
}
