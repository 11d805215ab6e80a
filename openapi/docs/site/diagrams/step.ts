/** A line of a diagram: `You → Malipo: initialize, POST /collections/initialize`. */
export interface Step {
  /** The part before the colon. */
  readonly between: string
  readonly from: string
  /** Empty without an arrow. */
  readonly to: string
  /** The part after the colon. */
  readonly said: string
  /** Its part before the first comma: the drawing has no room for more. */
  readonly short: string
}

/** A drawing 360 wide: legible on a phone without scaling. */
export interface DrawnStep {
  readonly markup: string
  readonly height: number
  /** For screen readers. */
  readonly about: string
  /** Its numbers are those of the list. */
  readonly isNumbered: boolean
}
export const DRAWING_WIDTH = 360
