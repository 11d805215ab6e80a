/** Letters and digits with single blanks between, and one at each end. */
const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}*]+/gu, ' ')
    .trim()} `

/** Somebody is paid, or pays: `to JUMA`, `from 2547****0001`. */
const COUNTERPART = / (?:to|from|by) \S|\d[\d*]{5}|\*\*\d/

/** Whether a text begins with one of the words, and is about nobody: "Charge for payment", and no "MARY RECHARGER". */
export function namesFee(details: string, feeWords: readonly string[]): boolean {
  const text = wordsOf(details)
  return !COUNTERPART.test(text) && feeWords.some((word) => text.startsWith(wordsOf(word)))
}

/** Whether a type of movements is that of fees: `Charge`, `Business Payment Charge`. */
export function isTypeOfFees(type: string, feeWords: readonly string[]): boolean {
  const text = wordsOf(type)
  return feeWords.some((word) => text.includes(wordsOf(word)))
}
