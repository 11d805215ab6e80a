// Runs before the first paint, so that nothing flashes: light or dark by the reader's choice, else by the system
// setting.

const KEPT = 'malipo-docs-theme'
const system = matchMedia('(prefers-color-scheme: dark)')

/** Undefined where the browser stores nothing. */
function kept(): string | undefined {
  try {
    return localStorage.getItem(KEPT) ?? undefined
  } catch {
    return undefined
  }
}

function apply(): void {
  const isDark = (kept() ?? (system.matches ? 'dark' : 'light')) === 'dark'
  document.documentElement.classList.toggle('dark', isDark)
  document.documentElement.classList.toggle('light', !isDark)
}

apply()
system.addEventListener('change', apply)
