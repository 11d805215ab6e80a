import { strippedJpeg } from './logo/jpeg.ts'
import { strippedPng } from './logo/png.ts'
import { NoPicture, type Picture } from './logo/picture.ts'
import { strippedWebp } from './logo/webp.ts'

/** A merchant's logo as it is kept: the picture alone, without what cameras and programs write beside it. */
export interface Logo {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp'
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/** A page of 20 kB is not to carry a poster, and phones on slow networks are to see it at once. */
export const LOGO_BYTES_MAX = 16_384
/** Shown at a height of 48: enough for a screen of three times the density, with room. */
export const LOGO_SIDE_MAX = 600

const FORMATS: readonly (readonly [Logo['mediaType'], (bytes: Buffer) => Picture | undefined])[] = [
  ['image/png', strippedPng],
  ['image/jpeg', strippedJpeg],
  ['image/webp', strippedWebp],
]

/**
 * A logo out of a file. What it is, its own bytes say, not its name; vector graphics are programs and stay outside.
 * @throws RangeError with what is wrong, for the one who gave it
 */
export function readLogo(file: Uint8Array): Logo {
  if (file.byteLength > LOGO_BYTES_MAX)
    throw new RangeError(`The file has ${file.byteLength} bytes; a logo may have ${LOGO_BYTES_MAX} at most.`)
  const bytes = Buffer.from(file)
  if (/^\s*<(?:\?xml|!--|!doctype|svg|html)/i.test(bytes.toString('latin1', 0, 200)))
    throw new RangeError('SVG is not taken: it can carry scripts. Give the logo as PNG, JPEG or WebP.')
  for (const [mediaType, stripped] of FORMATS) {
    const picture = wholeOr(() => stripped(bytes))
    if (!picture) continue
    const { width, height } = picture
    if (width < 1 || height < 1 || width > LOGO_SIDE_MAX || height > LOGO_SIDE_MAX)
      throw new RangeError(`It measures ${width} × ${height} pixels; 1 to ${LOGO_SIDE_MAX} are taken each way.`)
    return { mediaType, ...picture }
  }
  throw new RangeError('The file is no PNG, JPEG or WebP.')
}

function wholeOr(read: () => Picture | undefined): Picture | undefined {
  try {
    return read()
  } catch (error) {
    // Reading beyond the end.
    if (error instanceof NoPicture || error instanceof RangeError)
      throw new RangeError('The file is damaged, or moves: only whole pictures that stand still are taken.', {
        cause: error,
      })
    throw error
  }
}
