import { Refusal } from './refusal.ts'

/**
 * What a payment is for must say something: the contract's pattern knows the blanks of ASCII and Latin-1, here are those of all other alphabets.
 * @throws Refusal `invalid_description`, in the words of the contract
 */
export function checkDescription(description: string): void {
  if (description.trim() === '') throw new Refusal('invalid_description', 'description must not be blank or contain control characters')
}
