import { expect, test } from 'vitest'
import { failure } from './envelope.ts'

test('a message repeats merchant input without C0 or C1 controls, as the contract says', () => {
  // Found by the nightly contract tests, in the name of an unknown field.
  const { body } = failure(400, 'a\u0000b\u001fc\u007fd\u0080e\u0097f\u009fg\u00a0h is not allowed')
  expect(body.message).toBe('a�b�c�d�e�f�g\u00a0h is not allowed')
})

test('a message repeats merchant input without bidirectional controls', () => {
  const { body } = failure(400, 'a\u202eb\u2066c\u2069\u200f\u200d is not allowed')
  expect(body.message).toBe('a�b�c�\u200f\u200d is not allowed')
})

test.each([
  ['by the bound of a message', 'x'.repeat(999) + '😀'],
  ['by the bound of a name in it', `${`${'x'.repeat(63)}😀`.slice(0, 64)} is not allowed`],
])('a message is well-formed text even where a character was cut in two %s', (_where, message) => {
  const { body } = failure(400, message)
  expect(body.message.isWellFormed()).toBe(true)
  expect(body.message).toContain('x\ufffd')
})
