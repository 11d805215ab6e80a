import { expect, test } from 'vitest'
import { brandColours, brandStyle, contrast, CONTRAST_MIN } from './brand-colour.ts'
import { STYLE } from './style.ts'

/** Black, white, all greys between them, and a grid through all colours. */
const COLOURS = ['00', '33', '66', '77', '80', '99', 'cc', 'ff'].flatMap((red, _, parts) =>
  parts.flatMap((green) => parts.map((blue) => `#${red}${green}${blue}`)),
)

test('text on every colour and in every colour is readable', () => {
  const lowest = Math.min(
    ...COLOURS.flatMap((colour) => {
      const { light, dark, link } = brandColours(colour)
      return [
        ...[light, dark].flatMap(({ fill, onFill, press }) => [contrast(onFill, fill), contrast(onFill, press)]),
        ...['#ffffff', '#f4f4f1'].map((behind) => contrast(link.light, behind)),
        ...['#1c1f24', '#131518'].map((behind) => contrast(link.dark, behind)),
      ]
    }),
  )
  expect(lowest).toBeGreaterThanOrEqual(CONTRAST_MIN)
})

test('a readable colour stays as it is', () => {
  const blue = { fill: '#0b57a4', onFill: '#ffffff' }
  expect(brandColours('#0b57a4')).toMatchObject({ light: blue, dark: blue, link: { light: '#0b57a4' } })
  const yellow = { fill: '#ffcb05', onFill: '#000000' }
  expect(brandColours('#ffcb05')).toMatchObject({ light: yellow, dark: yellow, link: { dark: '#ffcb05' } })
})

test('the main button contrasts with the card, even for an all white or black merchant', () => {
  const lowest = Math.min(
    ...COLOURS.flatMap((colour) => {
      const { light, dark } = brandColours(colour)
      return [contrast(light.fill, '#ffffff'), contrast(dark.fill, '#1c1f24')]
    }),
  )
  expect(lowest).toBeGreaterThanOrEqual(1.3)
  expect(contrast(brandColours('#ffffff').light.fill, '#ffffff')).toBeGreaterThan(9)
  expect(contrast(brandColours('#000000').dark.fill, '#1c1f24')).toBeGreaterThan(9)
  expect([brandColours('#ffffff').dark.fill, brandColours('#000000').light.fill]).toEqual(['#ffffff', '#000000'])
})

test('the backgrounds that colours are held against are those of the style', () => {
  for (const behind of ['--card: #fff;', '--page: #f4f4f1;', '--card: #1c1f24;', '--page: #131518;'])
    expect(STYLE).toContain(behind)
})

test('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('an invalid colour never reaches the style', () => {
  for (const text of [undefined, '', 'red', '#fff', '#0b57a4;}body{display:none', '</style><script>'])
    expect(brandStyle(text)).toBe('')
})
