/** Constraints on a setting, as `fault` of a `RailSetting` reports them. */
type Fault = (value: string) => string | undefined

/** @param unit follows "whole number" */
export const wholeNumber =
  (min: number, max: number, unit = ''): Fault =>
  (value) =>
    /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max
      ? undefined
      : `must be a whole number${unit} from ${min} to ${max}`

export const seconds = (min: number, max: number): Fault => wholeNumber(min, max, ' of seconds')

export const oneOf =
  (...values: readonly string[]): Fault =>
  (value) =>
    values.includes(value) ? undefined : `must be ${values.join(' or ')}`

/** Only plain characters: which others operators accept in a text is unverified. */
export const plainText =
  (max: number): Fault =>
  (value) =>
    new RegExp(`^[A-Za-z0-9][A-Za-z0-9 ]{0,${max - 1}}$`).test(value)
      ? undefined
      : `must be 1 to ${max} letters, digits and spaces`
