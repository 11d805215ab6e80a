import { addCopyButtons } from './copy.ts'
import { offerMenu } from './menu.ts'
import { rememberTabs } from './remembered-tabs.ts'
import { offerSearch } from './search-dialog.ts'
import { offerThemes } from './theme-switch.ts'
import { showPlaceInList } from './place-in-list.ts'
import { offerYours } from './yours.ts'

/** Where pages are whose addresses were places in one page. Put in by the build. */
declare const FORMER_PLACES: Readonly<Record<string, string>>

const page = location.pathname === '/docs' ? FORMER_PLACES[decodeURIComponent(location.hash.slice(1))] : undefined
if (page !== undefined) location.replace(page)

showPlaceInList()
offerThemes()
offerMenu()
offerYours()
addCopyButtons()
rememberTabs()
offerSearch()
