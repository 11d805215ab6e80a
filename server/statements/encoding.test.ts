import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { entryXml, readBytes, shown, statementXml, type ReadOptions } from './testing/read-text.ts'

const EUROS: ReadOptions = { currency: 'EUR' }
const NAMED = { head: '<Sts>BOOK</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt><AcctSvcrRef>Zürich</AcctSvcrRef>' }
const xmlIn = (label: string) => statementXml(entryXml('', NAMED), label && `<?xml version="1.0" encoding="${label}"?>`)
const LINE = ['statement', 'in 10000 Zürich 2026-03-02T00:00:00.000Z']
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16()

describe('the encoding that XML names is that of its characters', () => {
  test.each([
    ['utf-8', Buffer.from(xmlIn('utf-8'))],
    ['utf-8 after a mark', Buffer.from(`\ufeff${xmlIn('UTF-8')}`)],
    ['nothing', Buffer.from(xmlIn(''))],
    ['iso-8859-1', Buffer.from(xmlIn('ISO-8859-1'), 'latin1')],
    ['windows-1252', Buffer.from(xmlIn('windows-1252'), 'latin1')],
    ['utf-16 after a mark', Buffer.from(`\ufeff${xmlIn('UTF-16')}`, 'utf16le')],
    ['utf-16 of the other order', swapped(`\ufeff${xmlIn('utf-16')}`)],
    ['utf-16 without a mark', Buffer.from(xmlIn('utf-16le'), 'utf16le')],
    ['blank lines before', Buffer.from(`\n  ${xmlIn('latin1')}`, 'latin1')],
    ['single quotes', Buffer.from(xmlIn('latin1').replaceAll('"latin1"', "'latin1'"), 'latin1')],
  ])('%s', async (_what, bytes) => {
    // The setting applies only to CSV.
    for (const statement_encoding of ['utf-8', 'windows-1252', 'utf-16le'])
      expect(shown(await readBytes(bytes, { ...EUROS, settings: { statement_encoding } }))).toEqual(LINE)
  })

  test.each([
    ['bytes of another', Buffer.from(xmlIn('utf-8'), 'latin1'), 'is not in utf-8 at or after line 1 (its first line)'],
    ['none named, and not utf-8', Buffer.from(xmlIn(''), 'latin1'), 'is not in utf-8'],
    ['utf-16 that is none', Buffer.from(xmlIn('utf-16')), 'says that it is in utf-16, and it is in another encoding'],
    ['utf-8 that is utf-16', Buffer.from(`\ufeff${xmlIn('utf-8')}`, 'utf16le'), 'says that it is in utf-8, and it is'],
    ['a mark of another', Buffer.from(`\ufeff${xmlIn('iso-8859-1')}`), 'says that it is in iso-8859-1, and it is'],
    ['an unknown one', Buffer.from(xmlIn('klingon')), 'names an encoding that is not known: klingon'],
    ['ASCII with other characters', Buffer.from(xmlIn('us-ascii'), 'latin1'), 'is not in utf-8'],
  ])('refuses %s', async (_what, bytes, message) => {
    await expect(readBytes(bytes, EUROS)).rejects.toThrow(message)
  })
})

describe('a byte order mark gives the encoding of a CSV file, whatever the setting', () => {
  const text = 'Reference,Time,Amount,Our Reference\nZürich,2026-03-02,5,'
  const line = ['in 5 Zürich 2026-03-02T00:00:00.000Z']
  test.each([
    ['utf-8', Buffer.from(`\ufeff${text}`)],
    ['utf-16le', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['utf-16be', swapped(`\ufeff${text}`)],
  ])('%s', async (_what, bytes) => {
    for (const statement_encoding of ['utf-8', 'windows-1252', 'utf-16le'])
      expect(shown(await readBytes(bytes, { settings: { statement_encoding } }))).toEqual(line)
  })

  test('names the setting whose encoding lacks the characters', async () => {
    await expect(readBytes(Buffer.from(text, 'latin1'))).rejects.toThrow('(statement_encoding)')
    await expect(readBytes(Buffer.from(text, 'utf16le'))).rejects.toThrow('(statement_encoding)')
  })
})

describe('refuses a file of another kind by its name', () => {
  const zip = (name: string) =>
    Buffer.from(`PK\x03\x04\x14\x00\x06\x00\x08\x00${'\x00'.repeat(20)}${name}\x9c`, 'latin1')
  test.each([
    [zip('[Content_Types].xml'), 'is an Excel workbook (xlsx), which is no text: save it as CSV'],
    [zip('xl/workbook.xml'), 'is an Excel workbook (xlsx)'],
    [zip('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'), 'is an OpenDocument file'],
    [zip('statement.xml'), 'is a zip archive or an Excel workbook: unpack it'],
    [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), 'is an old Excel workbook (xls)'],
    [gzipSync('Ref,Time,Amount\n'), 'is compressed (gzip): unpack it'],
    [Buffer.from('%PDF-1.7\n%\xe2\xe3', 'latin1'), 'is a PDF'],
    [Buffer.from('<!DOCTYPE html><html><table>'), 'is a web page (HTML)'],
    [Buffer.from('\ufeff<HTML xmlns:x="urn:schemas-microsoft-com:office:excel">'), 'is a web page (HTML)'],
    [Buffer.from('{1:F01BANKKENAAXXX}{2:O940'), 'is a SWIFT message (MT940 or MT942)'],
    [Buffer.from(':20:S1\r\n:25:123\r\n'), 'is a SWIFT message'],
    [Buffer.from('{\\rtf1\\ansi'), 'is a text document (RTF)'],
  ])('%j', async (bytes, message) => {
    await expect(readBytes(bytes)).rejects.toThrow(message)
    await expect(readBytes(bytes)).rejects.toThrow(/CSV|unpack/)
  })
})
