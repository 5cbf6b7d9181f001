/** What a window of the app sends to its service worker. */
export type ToWorker =
  /** Replaces the running version; sent only at the user's press. */
  | { readonly type: 'activate' }
  /** Stores the app with the texts of a language, for a start without a connection. */
  | { readonly type: 'prepare'; readonly language: string }

/** What the service worker sends to a window: the path of a screen to show, such as `/order`. */
export type FromWorker = { readonly type: 'open'; readonly path: string }
