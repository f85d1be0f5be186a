import fc from 'fast-check';

/** Every run of the tests draws the same cases; `PROPERTY_SEED=7 npm run unit` draws others. */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
