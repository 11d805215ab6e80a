import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scanRecords } from './records.ts'
import { DAMAGED, faultText, folderFault, namesIn, spoolFiles } from './spool-files.ts'

/** The contents of a database's spool on this machine, whichever process wrote it. */
interface SpoolContents {
  readonly exists: boolean
  /** Why the folder cannot be read or written. */
  readonly fault: string | undefined
  /** Files with messages that are not stored yet. */
  readonly files: number
  readonly messages: number
  readonly bytes: number
  readonly oldestAt: number | undefined
  /** Files with damaged records, which are kept. */
  readonly damaged: readonly string[]
}

/** Reads the files and changes nothing. It needs no key. */
export async function examineSpool(folder: string): Promise<SpoolContents> {
  // In a folder that this user may not read, nobody can tell whether anything is there.
  const none = { exists: false, files: 0, messages: 0, bytes: 0, oldestAt: undefined, damaged: [] }
  const fault = await folderFault(folder)
  try {
    const names = await namesIn(folder)
    const exists = names.length > 0
    const read = await Promise.all((await spoolFiles(folder)).map((file) => waitingIn(folder, file)))
    const waiting = read.filter(({ messages }) => messages > 0)
    return {
      exists,
      fault,
      files: waiting.length,
      messages: waiting.reduce((sum, { messages }) => sum + messages, 0),
      bytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0),
      oldestAt: waiting[0]?.openedAt,
      damaged: names.filter((name) => name.endsWith(DAMAGED)),
    }
  } catch (error) {
    return { ...none, fault: fault ?? faultText(error) }
  }
}

async function waitingIn(folder: string, { name, openedAt }: { readonly name: string; readonly openedAt: number }) {
  // A server may have stored and removed the file meanwhile.
  const bytes = await readFile(join(folder, name)).catch(() => Buffer.alloc(0))
  const messages = scanRecords(bytes).records.filter(({ isDone }) => !isDone).length
  return { openedAt, bytes: bytes.length, messages }
}
