import { addCopyButtons } from './copy.ts'
import { offerMenu } from './menu.ts'
import { rememberTabs } from './remembered-tabs.ts'
import { offerSearch } from './search-dialog.ts'
import { offerThemes } from './theme-switch.ts'
import { showPlaceInList } from './place-in-list.ts'
import { offerReaderValues } from './reader-values.ts'

/** The new addresses of pages that were places in one page. Inserted by the build. */
declare const FORMER_PLACES: Readonly<Record<string, string>>

const page = location.pathname === '/docs' ? FORMER_PLACES[decodeURIComponent(location.hash.slice(1))] : undefined
if (page !== undefined) location.replace(page)

showPlaceInList()
offerThemes()
offerMenu()
offerReaderValues()
addCopyButtons()
rememberTabs()
offerSearch()
