/** A line of a diagram: `You → Malipo: initialize, POST /collections/initialize`. */
export interface Step {
  /** Before the colon. */
  readonly between: string
  readonly from: string
  /** Empty where there is no arrow. */
  readonly to: string
  /** After the colon. */
  readonly said: string
  /** That up to the first comma: what has room in a drawing. */
  readonly short: string
}

/** A drawing 360 wide, so that it is read on a phone as it is. */
export interface DrawnStep {
  readonly markup: string
  readonly height: number
  /** For who does not see it. */
  readonly about: string
  /** The numbers in it are those of the list. */
  readonly isNumbered: boolean
}
export const DRAWING_WIDTH = 360
