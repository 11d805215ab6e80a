import { expect, test } from 'vitest'
import { contrast, CONTRAST_MIN } from './brand-colour.ts'
import { MARKS, providerMark } from './provider-mark.ts'
import { STYLE } from './style.ts'

test.each(Object.entries(MARKS))('the mark of %s can be read', (brand, [back, text]) => {
  expect(contrast(back, text)).toBeGreaterThanOrEqual(CONTRAST_MIN)
  expect(STYLE).toContain(`.mark-${brand} { background: ${back}; color: ${text}; }`)
})

test("a provider has its brand's mark in every country, and others a plain one", () => {
  expect(providerMark('mtn_ug', 'MTN Uganda')).toBe('<bdi class="mark mark-mtn">MTN Uganda</bdi>')
  expect(providerMark('bank_ng', 'Banks <b>')).toBe('<bdi class="mark ">Banks &#60;b&#62;</bdi>')
  expect(providerMark('constructor_x', 'X')).toBe('<bdi class="mark ">X</bdi>')
})
