const NAME_MAX = 200
const WORDS_MAX = 4
const LETTERS_MAX = 12

/**
 * The name of an account's holder as merchants may see it: `J*** D**`. Only the first letter of each word is shown, so
 * nothing else of what an operator sends gets through.
 * @returns undefined for what has no letters
 */
export function maskedName(name: string): string | undefined {
  const words = name
    .slice(0, NAME_MAX)
    .normalize('NFC')
    .match(/\p{L}[\p{L}\p{M}'’-]*/gu)
  return words
    ?.slice(0, WORDS_MAX)
    .map((word) => {
      const [first = '', ...others] = word
      return first + '*'.repeat(Math.min(others.length, LETTERS_MAX - 1))
    })
    .join(' ')
}
