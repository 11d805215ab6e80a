/** Normalises to letters and digits, separated and surrounded by single blanks. */
const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}*]+/gu, ' ')
    .trim()} `

/** Mentions of a payer or payee: `to JUMA`, `from 2547****0001`. */
const COUNTERPART = / (?:to|from|by) \S|\d[\d*]{5}|\*\*\d/

/** Whether a text begins with one of the words and names no person: "Charge for payment", but not "MARY RECHARGER". */
export function namesFee(details: string, feeWords: readonly string[]): boolean {
  const text = wordsOf(details)
  return !COUNTERPART.test(text) && feeWords.some((word) => text.startsWith(wordsOf(word)))
}

/** Whether a movement type means a fee: `Charge`, `Business Payment Charge`. */
export function isTypeOfFees(type: string, feeWords: readonly string[]): boolean {
  const text = wordsOf(type)
  return feeWords.some((word) => text.includes(wordsOf(word)))
}
