import { open } from 'node:fs/promises'

/** Syncs a folder, so that created, renamed and removed names in it survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  // Windows refuses to sync a folder (EPERM); NTFS journals its names.
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
