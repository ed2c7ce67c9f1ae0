//! Stories about several processes on one store: for stores opened by one process, for a file, and for
//! PostgreSQL (`./test --only database`).

#[path = "../../../store/tests/postgres/mod.rs"]
pub(crate) mod postgres;

use tablut_store::{Location, Store};

/// The stores of as many processes as a story has.
pub(crate) async fn open<const N: usize>(place: &Location) -> [Store; N] {
    let mut stores = Vec::new();
    for _ in 0..N {
        stores.push(Store::open(place).await.unwrap());
    }
    stores.try_into().expect("there are as many as were opened")
}

/// The same store as often as a story has processes.
pub(crate) async fn share<const N: usize>() -> [Store; N] {
    let store = Store::open(&Location::Memory).await.unwrap();
    std::array::from_fn(|_| store.clone())
}

/// Runs each story on each kind of store.
macro_rules! stories {
    ($($story:ident)*) => {
        mod in_one_process {
            $(#[tokio::test]
            async fn $story() {
                super::$story(crate::several::share().await).await;
            })*
        }

        mod on_a_file {
            $(#[tokio::test]
            async fn $story() {
                let folder = tempfile::tempdir().unwrap();
                let place = tablut_store::Location::File(folder.path().join("games.db"));
                super::$story(crate::several::open(&place).await).await;
            })*
        }

        #[tokio::test]
        #[ignore = "needs PostgreSQL: ./test --only database"]
        async fn all_stories_hold_on_postgresql() {
            let server = crate::several::postgres::Server::start();
            $({
                let place = tablut_store::Location::Postgres(server.database(stringify!($story)));
                let stores = crate::several::open(&place).await;
                $story(stores.clone()).await;
                for store in stores {
                    store.close().await;
                }
                println!("{} ... ok", stringify!($story));
            })*
        }
    };
}
