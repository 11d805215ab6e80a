import type { Heading } from './markdown.ts'

/** A page of the site before its frame. */
export interface SitePage {
  /** Name of its file, and the end of its address. */
  readonly slug: string
  readonly title: string
  /** Under which title the list of pages has it. */
  readonly group: string
  /** One line: what the page is for. */
  readonly about: string
  /** HTML. */
  readonly body: string
  readonly headings: readonly Heading[]
  /** Of an operation. */
  readonly method?: string
  /** A page of its own needs the console. */
  readonly triedOperation?: string
}
