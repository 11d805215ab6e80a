import type { Heading } from './markdown.ts'

/** A page of the site before its frame. */
export interface SitePage {
  /** Name of its file, and the end of its address. */
  readonly slug: string
  readonly title: string
  /** Its group in the list of pages. */
  readonly group: string
  /** One line: the purpose of the page. */
  readonly about: string
  /** HTML. */
  readonly body: string
  readonly headings: readonly Heading[]
  /** The operation, if the page is about one. */
  readonly method?: string
  /** A page that needs the console. */
  readonly triedOperation?: string
}
