import { COLOUR } from '../domain/brand.ts'

// WCAG 2.2: relative luminance and contrast ratio.

type Rgb = readonly [number, number, number]

const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [255, 255, 255]
/** The minimum for text (WCAG 1.4.3). */
export const CONTRAST_MIN = 4.5

/** The backgrounds of links in style.ts: the card and the page. */
const BEHIND = { light: ['#ffffff', '#f4f4f1'], dark: ['#1c1f24', '#131518'] } as const

const rgbOf = (colour: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as never
const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** From 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(rgbOf(one)), luminance(rgbOf(other))].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const mixed = (rgb: Rgb, other: Rgb, share: number): Rgb =>
  rgb.map((part, index) => part + ((other[index] ?? 0) - part) * share) as never

const STEPS = 20

/** The nearest readable shade of the colour on all of these backgrounds, on the way to black or white. */
function readable(colour: string, towards: Rgb, behind: readonly string[], least = CONTRAST_MIN): string {
  for (let step = 0; step <= STEPS; step += 1) {
    const candidate = hexOf(mixed(rgbOf(colour), towards, step / STEPS))
    if (behind.every((back) => contrast(candidate, back) >= least)) return candidate
  }
  return hexOf(towards)
}

interface ButtonColours {
  readonly fill: string
  readonly onFill: string
  readonly press: string
}

interface BrandColours {
  /** The fill of buttons: the merchant's colour, unless it is too close to the card's. */
  readonly light: ButtonColours
  readonly dark: ButtonColours
  /** The colour of links and of the focus ring: the merchant's colour, or the nearest readable shade. */
  readonly link: { readonly light: string; readonly dark: string }
}

/** Below this the primary button looks like any other: white on white, black on black. */
const FILL_CONTRAST_MIN = 1.3
/** The contrast of the replacement fill: far from the grey of a disabled button. */
const OTHER_FILL_CONTRAST = 9

function fillOf(colour: string): ButtonColours {
  const isDark = contrast(colour, hexOf(WHITE)) >= CONTRAST_MIN
  return {
    fill: colour,
    onFill: hexOf(isDark ? WHITE : BLACK),
    // Moves away from the text colour, so the contrast grows.
    press: hexOf(mixed(rgbOf(colour), isDark ? BLACK : WHITE, 0.2)),
  }
}

/**
 * Derives readable colours from a merchant's: every text has a contrast of 4.5 or more. Black or white reaches it on
 * any colour.
 */
export function brandColours(colour: string): BrandColours {
  const link = { light: readable(colour, BLACK, BEHIND.light), dark: readable(colour, WHITE, BEHIND.dark) }
  const fillIn = (scheme: 'light' | 'dark', away: Rgb): ButtonColours => {
    const isLost = contrast(colour, BEHIND[scheme][0]) < FILL_CONTRAST_MIN
    return fillOf(isLost ? readable(colour, away, BEHIND[scheme], OTHER_FILL_CONTRAST) : colour)
  }
  return { light: fillIn('light', BLACK), dark: fillIn('dark', WHITE), link }
}

/** Follows the page's own style; empty for an invalid colour, whatever is stored. */
export function brandStyle(colour: string | undefined): string {
  if (colour === undefined || !COLOUR.test(colour)) return ''
  const { light, dark, link } = brandColours(colour)
  const root = (text: string, { fill, press, onFill }: ButtonColours): string =>
    `:root { --link: ${text}; --fill: ${fill}; --press: ${press}; --on-fill: ${onFill}; }`
  return `${root(link.light, light)}
@media screen and (prefers-color-scheme: dark) { ${root(link.dark, dark)} }
body { border-top: 6px solid ${colour}; }
`
}
