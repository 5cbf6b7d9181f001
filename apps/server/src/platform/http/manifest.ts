import { acceptedTags, directionOf, languageOfTag } from '@fairlot/contract'
import { LANGUAGES, languageCodeOf, tagOf, translatorFor, type Language } from '../i18n/translate.ts'

/** Screens that a long press on the app's icon offers, and their addresses. */
const SHORTCUTS = {
  trade: '/#/trade',
  orders: '/#/order',
  alerts: '/#/mine/notices?tab=alerts',
  funds: '/#/mine/history',
}

/** The language of a browser's Accept-Language header: the most wanted of ours, else English. */
export const preferredLanguage = (header: string | undefined): Language =>
  acceptedTags(header ?? '')
    .map(languageOfTag)
    .find((code) => code !== null && LANGUAGES.includes(code)) ?? 'en'

/** The web app manifest, by which a browser installs the app, in a language. */
export function manifestIn(language: Language): object {
  const translate = translatorFor(language)
  return {
    id: '/',
    name: 'Fairlot',
    short_name: 'Fairlot',
    description: translate('manifest.description'),
    lang: tagOf(languageCodeOf(language)),
    dir: directionOf(language),
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#F5F3EE',
    theme_color: '#F5F3EE',
    categories: ['finance'],
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    ],
    shortcuts: Object.entries(SHORTCUTS).map(([name, url]) => ({
      name: translate(`manifest.shortcut.${name}`),
      url,
      icons: [{ src: '/icon-192.png', sizes: '192x192', type: 'image/png' }],
    })),
    screenshots: [
      {
        src: '/screenshot-phone.webp',
        sizes: '390x844',
        type: 'image/webp',
        form_factor: 'narrow',
        label: translate('manifest.screenshot.phone'),
      },
      {
        src: '/screenshot-wide.webp',
        sizes: '1440x900',
        type: 'image/webp',
        form_factor: 'wide',
        label: translate('manifest.screenshot.wide'),
      },
    ],
  }
}
