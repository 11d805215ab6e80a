import { UnreadableStatement } from './reading.ts'

interface OtherFile {
  /** The file's first bytes, one character per byte. */
  readonly begins: RegExp
  /** Follows the name of the file. */
  readonly is: string
}

const EXPORT = 'export the statement as CSV or as camt.053 (XML)'
const UNPACK = 'unpack it and import the CSV or XML file that is in it'

/** Files that people mistake for a statement, the more specific first. */
const OTHER_FILES: readonly OtherFile[] = [
  {
    begins: /^PK\x03\x04[^]*(?:\[Content_Types\]\.xml|xl\/|_rels\/)/,
    is: `is an Excel workbook (xlsx), which is no text: save it as CSV, or ${EXPORT}`,
  },
  {
    begins: /^PK\x03\x04[^]*opendocument/,
    is: `is an OpenDocument file, which is no text: save it as CSV, or ${EXPORT}`,
  },
  { begins: /^PK(?:\x03\x04|\x05\x06|\x07\x08)/, is: `is a zip archive or an Excel workbook: ${UNPACK}, or ${EXPORT}` },
  { begins: /^\xd0\xcf\x11\xe0/, is: `is an old Excel workbook (xls) or another Office file: save it as CSV` },
  { begins: /^\x1f\x8b/, is: `is compressed (gzip): ${UNPACK}` },
  { begins: /^(?:BZh|\xfd7zXZ|7z\xbc\xaf|Rar!|\x28\xb5\x2f\xfd)/, is: `is a compressed archive: ${UNPACK}` },
  { begins: /^\s*%PDF-/, is: `is a PDF, of which no numbers can be read for certain: ${EXPORT}` },
  {
    begins: /^(?:\xef\xbb\xbf)?\s*(?:<!doctype html|<html)/i,
    is: `is a web page (HTML), whatever its name: ${EXPORT}`,
  },
  { begins: /^\{\\rtf/, is: `is a text document (RTF): ${EXPORT}` },
  { begins: /^\s*(?:\{1:F\d|:20:)/, is: `is a SWIFT message (MT940 or MT942): ${EXPORT}` },
]

/** @throws UnreadableStatement saying what the file is, and what to do instead */
export function refuseOtherFiles(head: Uint8Array): void {
  const start = Buffer.from(head).toString('latin1')
  const found = OTHER_FILES.find(({ begins }) => begins.test(start))
  if (found) throw new UnreadableStatement(found.is)
}
