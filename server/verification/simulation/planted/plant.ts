import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Form } from '../form.ts'
import type { Edit, PlantedFault } from './planted-fault.ts'

const SERVER = fileURLToPath(new URL('../../../', import.meta.url))
/** The files that a simulation imports below server/; types of generated/ are erased. */
const PARTS = [
  'domain',
  'actions',
  'jobs',
  'verification/simulation',
  'messages/transaction-record.ts',
  'progress.ts',
  'verification/testing/seeded.ts',
]
/** The additional imports of that form. */
const MORE_PARTS: Readonly<Record<Form, readonly string[]>> = {
  simulated: [],
  wire: [
    'rails',
    'outbound',
    'http',
    'statements',
    'start/connect-rail-account.ts',
    'start/rails-by-provider.ts',
    'safe-error.ts',
  ],
}
/** Next to server/, and without faults. */
const WHOLE = ['node_modules', 'openapi', 'generated']

/**
 * @throws Error when a text of the fault does not occur in its file exactly once: then the source has changed, and
 *   the fault must follow it
 */
export async function editedText(
  { file, from, to }: Edit,
  read: (file: string) => Promise<string> = (name) => readFile(join(SERVER, name), 'utf8'),
): Promise<string> {
  const text = await read(file)
  const places = text.split(from).length - 1
  if (places !== 1) throw new Error(`${file} holds ${places} times: ${from}`)
  return text.replace(from, () => to)
}

/**
 * Makes a copy of the sources with the fault in it.
 * @returns the copy's command line
 */
export async function plant({ name, form, edits }: PlantedFault, folder: string): Promise<string> {
  const copy = join(folder, name)
  await rm(copy, { recursive: true, force: true })
  await mkdir(join(copy, 'server'), { recursive: true })
  await writeFile(join(copy, 'package.json'), '{ "type": "module" }\n')
  for (const part of [...PARTS, ...MORE_PARTS[form]]) {
    await cp(join(SERVER, part), join(copy, 'server', part), {
      recursive: true,
      filter: (source) => !source.endsWith('.test.ts'),
    })
  }
  for (const folder of WHOLE) await symlink(join(SERVER, '..', folder), join(copy, folder))
  for (const edit of edits) {
    const path = join(copy, 'server', edit.file)
    await writeFile(path, await editedText(edit, () => readFile(path, 'utf8')))
  }
  return join(copy, 'server', 'verification', 'simulation', 'cli.ts')
}
