const test = '\\.test\\.tsx?$';

/** Files of the server's root by the storey they stand on. */
const composition =
  '^server/((admin|entry)/|(application|readings|watch-figures|authorize|compose|jobs|migrate-database|rotate-keys|routes|services)\\.ts$)';
const kernel = '^server/(account-access|actor|context|domain-events|route)\\.ts$';

/** The quarters of the modules, the lowest first. */
const quarters = ['identity', 'numbers', 'audience', 'messaging', 'outreach'];

const wall = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/**
 * The walls. Server: entry → routes, jobs, compose → modules → context, route → connectors → config → platform →
 * contracts. Web: app → features → shared → contracts. Never upward, never round.
 * @type {import('dependency-cruiser').IConfiguration}
 */
module.exports = {
  forbidden: [
    wall(
      'server-and-web-are-apart',
      'They meet in contracts alone.',
      { path: '^(server|web)/' },
      { path: '^(server|web)/', pathNot: '^$1/' },
    ),
    wall(
      'product-without-tests',
      'Only tests import tests.',
      { path: '^(contracts|sdk|server|web|scripts)/', pathNot: test },
      { path: ['^tests/', test] },
    ),
    wall(
      'contracts-stand-alone',
      'Both sides agree on them, so they know neither.',
      { path: '^contracts/' },
      {
        path: '^(server|web|tests|scripts)/',
      },
    ),
    wall(
      'contracts-need-only-zod',
      'They run in the browser and on the server.',
      { path: '^contracts/', pathNot: test },
      { pathNot: ['^contracts/', '^node_modules/zod/'] },
    ),

    wall(
      'sdk-stands-alone',
      'It is published: of the contracts it has types alone, so that it needs no package.',
      { path: '^sdk/', pathNot: test },
      { path: '^(contracts|server|web|tests|scripts)/', dependencyTypesNot: ['type-only'] },
    ),
    wall(
      'sdk-without-node',
      'It runs in browsers; only the command line and the MCP server need Node.',
      { path: '^sdk/', pathNot: ['^sdk/(cli|mcp)/', test] },
      { dependencyTypes: ['core', 'npm', 'npm-dev'] },
    ),

    wall(
      'platform-is-lowest',
      'No domain words in it.',
      { path: '^server/platform/', pathNot: test },
      {
        path: '^server/',
        pathNot: '^server/platform/',
      },
    ),
    wall('config-reads-only', 'It knows no client.', { path: '^server/config\\.ts$' }, { path: '^server/' }),
    wall(
      'connectors-below-domain',
      'A port knows no module.',
      { path: '^server/connectors/', pathNot: test },
      {
        path: ['^server/modules/', kernel, composition],
      },
    ),
    wall(
      'connectors-apart',
      'One port each.',
      { path: '^server/connectors/([^/]+)/' },
      {
        path: '^server/connectors/',
        pathNot: '^server/connectors/$1/',
      },
    ),
    wall(
      'context-below-modules',
      'Modules depend on it.',
      { path: kernel },
      {
        path: ['^server/modules/', composition],
      },
    ),
    wall(
      'modules-below-composition',
      'They are put together above.',
      { path: '^server/modules/', pathNot: test },
      {
        path: composition,
      },
    ),
    wall(
      'database-is-declarations',
      'It puts together the tables that modules declare, and knows nothing else of them.',
      { path: '^server/database\\.ts$' },
      {
        path: '^server/',
        pathNot: [
          '^server/(modules/[^/]+|connectors)/[^/]+/tables\\.ts$',
          '^server/(audit|idempotency|figure)-tables\\.ts$',
        ],
      },
    ),
    wall(
      'tables-know-tables',
      'A front door would lead them to all that works on them.',
      { path: '^server/modules/[^/]+/[^/]+/tables\\.ts$' },
      { path: '^server/', pathNot: ['/tables\\.ts$', '^server/platform/db/columns\\.ts$'] },
    ),
    wall(
      'indexes-are-declarations',
      'They are built before the product starts, without what works on the tables.',
      { path: ['^server/modules/[^/]+/[^/]+/indexes\\.ts$', '^server/migrate-database\\.ts$'] },
      { path: '^server/', pathNot: ['/(indexes|tables)\\.ts$', '^server/platform/db/'] },
    ),
    wall(
      'module-front-door',
      'A module is entered only by its index.ts.',
      { path: '^server/modules/([^/]+/[^/]+)/', pathNot: '/tables\\.ts$' },
      { path: '^server/modules/', pathNot: ['^server/modules/$1/', '^server/modules/[^/]+/[^/]+/index\\.ts$'] },
    ),
    wall(
      'module-front-door-for-others',
      'A module is entered only by its index.ts.',
      { path: '^(server|tests)/', pathNot: ['^server/modules/', '^server/(database|migrate-database)\\.ts$'] },
      { path: '^server/modules/', pathNot: '^server/modules/[^/]+/[^/]+/index\\.ts$' },
    ),
    ...quarters
      .slice(0, -1)
      .map((quarter, storey) =>
        wall(
          `${quarter}-imports-downward`,
          `Quarters from the lowest: ${quarters.join(', ')}. Declarations of tables may name each other.`,
          { path: `^server/modules/${quarter}/`, pathNot: [test, '/tables\\.ts$'] },
          { path: `^server/modules/(${quarters.slice(storey + 1).join('|')})/` },
        ),
      ),
    wall('entry-is-the-top', 'Nothing imports it.', { pathNot: '^server/entry/' }, { path: '^server/entry/' }),

    wall('shared-is-lowest', 'No feature in it.', { path: '^web/shared/' }, { path: '^web/(app|features)/' }),
    wall('features-below-app', 'Pages are put together in app.', { path: '^web/features/' }, { path: '^web/app/' }),
    wall(
      'features-apart',
      'Features never import each other.',
      { path: '^web/features/([^/]+)/' },
      {
        path: '^web/features/',
        pathNot: '^web/features/$1/',
      },
    ),

    wall(
      'product-needs-no-dev-dependency',
      'The server runs without them; the web app is built before.',
      { path: '^(server|contracts)/', pathNot: test },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    wall(
      'declared',
      'Every import is found, and its package is in package.json.',
      {},
      {
        dependencyTypes: ['unknown', 'undetermined', 'npm-no-pkg', 'npm-unknown'],
      },
    ),
    wall(
      'found',
      'Every import leads somewhere.',
      {},
      { couldNotResolve: true, pathNot: ['^virtual:', '^vite/client$'] },
    ),
    wall('never-round', 'A circle has no lowest part.', { pathNot: '^tests/' }, { circular: true }),
    wall(
      'never-round-in-tests',
      'A circle has no lowest part; types of a stand-in may know each other.',
      { path: '^tests/' },
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
  ],
  options: {
    doNotFollow: { path: '^node_modules/' },
    exclude: { path: '^(dist|data|coverage)/' },
    tsPreCompilationDeps: true,
    preserveSymlinks: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
