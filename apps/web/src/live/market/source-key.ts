import type { QuoteSource } from '@fairlot/contract'

const KEYS = {
  live: { demo: 'demoLive', real: 'live' },
  recorded: { demo: 'demoRecorded', real: 'recorded' },
  simulated: { demo: 'demoSimulated', real: 'simulated' },
} as const

/** The message that says where prices come from, and to a demo account also that it is one. */
export const sourceKey = (source: QuoteSource, isDemo: boolean) => KEYS[source][isDemo ? 'demo' : 'real']
