import type { Form } from '../form.ts'

/**
 * A fault that is planted in a copy of the sources: each text occurs there exactly once, and is replaced by another.
 */
export interface PlantedFault {
  readonly name: string
  /** What goes wrong, and in which schedules. */
  readonly what: string
  /** The form of the simulation that must find it. */
  readonly form: Form
  readonly edits: readonly Edit[]
}

export interface Edit {
  /** Path below server/. */
  readonly file: string
  readonly from: string
  readonly to: string
}

/** The rows of one form's table. */
export const faultIn =
  (form: Form) =>
  (
    name: string,
    what: string,
    ...edits: readonly (readonly [file: string, from: string, to: string])[]
  ): PlantedFault => ({ name, what, form, edits: edits.map(([file, from, to]) => ({ file, from, to })) })
