import type { PageFilter } from '../../ui/page.tsx'

/** A page of the market gets the chips of all for its `Page`. */
export type MarketPageProps = { filter: PageFilter<string> }
