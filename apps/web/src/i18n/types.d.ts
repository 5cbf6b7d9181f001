import type { Messages } from './catalogue.ts'

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages
  }
}
