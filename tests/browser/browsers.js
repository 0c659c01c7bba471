// The browsers that tests run in.
import { existsSync } from 'node:fs';

/** Debian's browsers, and where else they may be. */
export const browsers = [
  {
    name: 'Chromium',
    paths: [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
    options: {
      args: [
        '--no-sandbox',
        '--headless=new',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-default-apps',
        '--no-first-run',
      ],
    },
  },
  {
    name: 'Firefox',
    paths: [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'],
    options: { browser: 'firefox', headless: true },
  },
];

export const puppeteer = await import('puppeteer-core').then(
  (module) => module.default,
  () => null,
);

/** @typedef {typeof browsers[number]} Browser */

/** Where a browser is; undefined where it is not. @param {Browser} browser */
export const pathOf = ({ paths }) => paths.find((path) => path && existsSync(path));

/** Why a browser cannot be tested here; false where it can. @param {Browser} browser */
export const reasonToSkip = (browser) =>
  !puppeteer ? 'puppeteer-core is not installed (npm install)' : !pathOf(browser) ? `${browser.name} is not installed` : false;
