/** File descriptors of databases, other connections, files. */
const OTHERS = 600

/**
 * The number of connections that can be open at once, up to those wanted. @param endsHere 2 when the server runs here
 * too
 */
export function connectionsPossible(wanted: number, endsHere: 1 | 2, limit: number = openFilesMax()): number {
  return Math.max(0, Math.min(wanted, Math.floor((limit - OTHERS) / endsHere)))
}

function openFilesMax(): number {
  if (!process.report) return 1_024
  const report = JSON.parse(JSON.stringify(process.report.getReport())) as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | 'unlimited' } }
  }
  const soft = report.userLimits?.open_files?.soft
  return soft === 'unlimited' ? Infinity : (soft ?? 1_024)
}
