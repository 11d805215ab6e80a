/** The bytes of a picture without anything beside it, and how large it says that it is. */
export interface Picture {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

/** It begins like a picture of this kind and does not go on as one. */
export class NoPicture extends Error {
  override readonly name = 'NoPicture'
}

/** A part of a file. @throws NoPicture when the file ends before */
export function part(bytes: Buffer, start: number, length: number): Buffer {
  if (start + length > bytes.length) throw new NoPicture('the file ends too early')
  return bytes.subarray(start, start + length)
}
