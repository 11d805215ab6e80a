import { Refusal } from './refusal.ts'

/** What a payment is for must say something, in whatever alphabet its blanks are. @throws Refusal `invalid_description` */
export function checkDescription(description: string): void {
  if (description.trim() === '') throw new Refusal('invalid_description', 'description must not be blank')
}
