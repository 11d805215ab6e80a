import { strippedJpeg } from './logo/jpeg.ts'
import { strippedPng } from './logo/png.ts'
import { NoPicture, type Picture } from './logo/picture.ts'
import { strippedWebp } from './logo/webp.ts'

/** A merchant's logo as it is stored: the image without the metadata that cameras and programs add. */
export interface Logo {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp'
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/** The page has 20 kB, so the logo must be small: phones on slow networks must show it at once. */
export const LOGO_BYTES_MAX = 16_384
/** Shown at a height of 48: enough for a screen of triple density, with a margin. */
export const LOGO_SIDE_MAX = 600

const FORMATS: readonly (readonly [Logo['mediaType'], (bytes: Buffer) => Picture | undefined])[] = [
  ['image/png', strippedPng],
  ['image/jpeg', strippedJpeg],
  ['image/webp', strippedWebp],
]

/**
 * Reads a logo from a file. Its bytes determine the format, not its name. Vector graphics are rejected, because they
 * can contain programs.
 * @throws RangeError with what is wrong, for the person who supplied it
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
    // A read beyond the end.
    if (error instanceof NoPicture || error instanceof RangeError)
      throw new RangeError('The file is damaged, or moves: only whole pictures that stand still are taken.', {
        cause: error,
      })
    throw error
  }
}
